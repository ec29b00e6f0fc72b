// SPDX-License-Identifier: Apache-2.0
// Private (also to the tool and the demonstration): what a page tells about a model below its map.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "foldout/model/model.h"
#include "plot/html_page.h"

namespace foldout {

/// The spectrum with its largest gap as an SVG figure; empty if the method has fewer than three eigenvalues.
[[nodiscard]] std::string spectrum_figure(const Model& model);

/// Trustworthiness, continuity and neighbour overlap of the training samples, of an even part of them if they are many.
/// Empty if the samples are unknown or fewer than 20.
[[nodiscard]] std::vector<std::pair<std::string, double>> map_quality(const Model& model, const Dataset* train,
                                                                      const RunContext& context);

/// Spectrum, quality, components, and the repairs of the fit. `seconds`: the phases of the fit; may be empty.
void describe_model(HtmlPage& page, const Model& model, const Dataset* train,
                    const std::vector<std::pair<std::string, double>>& seconds, const RunContext& context);

}  // namespace foldout
