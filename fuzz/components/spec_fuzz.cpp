// SPDX-License-Identifier: Apache-2.0
// Specs as they are typed: one component a line, in the order method, extension, dictionary, classifier, preprocessing
// steps. A spec is refused with InvalidArgument, or its full text gives the same component again.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "foldout/components/model_spec.h"
#include "foldout/core/error.h"

namespace {

using namespace foldout;

template <class Row>
Component<Row> parsed(const std::string& text) {
  const Component<Row> component(text);
  if (!(Component<Row>(component.text()) == component)) std::abort();
  return component;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::string method, extension, dictionary, classifier, step;
  std::getline(lines, method), std::getline(lines, extension), std::getline(lines, dictionary);
  std::getline(lines, classifier);
  try {
    ModelSpec spec{.method = parsed<MethodRow>(method),
                   .extension = parsed<ExtensionRow>(extension),
                   .dictionary = parsed<DictionaryRow>(dictionary),
                   .classifier = parsed<ClassifierRow>(classifier)};
    while (std::getline(lines, step)) spec.preprocess.push_back(parsed<PreprocessRow>(step));
    if (spec.method) (void)completed(std::move(spec));
  } catch (const InvalidArgument&) {
  }
  return 0;
}
