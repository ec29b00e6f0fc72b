// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error of the tool.
#pragma once

namespace foldout::cli {

/// Opens what the caller closed among the descriptors 0 to 2, so that no output file gets one of these numbers. Reading
/// from a closed input and writing to a closed output still fail.
void occupy_standard_descriptors();

/// Lets std::cin return what has arrived and end at a signal. The library's own buffer would go on waiting.
void let_signals_end_standard_input();

/// Throws IoError if results could not be written to standard output, by whichever means.
void finish_standard_output();

}  // namespace foldout::cli
