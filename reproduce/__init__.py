# SPDX-License-Identifier: Apache-2.0
"""The tables and figures of the five papers, computed with foldout, with a verdict on each claim.

    python3 -m reproduce --list          what there is, and what each experiment needs
    python3 -m reproduce sparse_table1   one experiment; `sparse` is all of that paper

One module per paper: sparse (Raducanu and Dornaika, 2013), cea (Fu, Liu and Huang, 2007), nppe (Qiao et al., 2013), elm
(Mendoza Quispe et al., 2016), lcdl (Zhou and Barner, 2013); project has the claims of foldout itself.
"""
