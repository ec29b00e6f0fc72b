// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/io/files.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct ForeignMethod {
  std::string_view name, module, estimator;  ///< with Python's fit_transform; empty: any program
};
constexpr ForeignMethod kForeign[] = {{"umap", "umap", "UMAP()"},
                                      {"tsne", "sklearn.manifold", "TSNE()"},
                                      {"opentsne", "sklearn.manifold", "TSNE()"},
                                      {"phate", "phate", "PHATE()"},
                                      {"trimap", "trimap", "TRIMAP()"},
                                      {"pacmap", "pacmap", "PaCMAP()"},
                                      {"autoencoder", "", ""},
                                      {"vae", "", ""}};

std::string result_or(const CLI::App& verb, const std::string& option, const std::string& otherwise) {
  const CLI::Option* found = verb.get_option_no_throw(option);
  return found && !found->results().empty() ? found->results().front() : otherwise;
}

// A path as one word of a shell.
std::string one_word(const std::string& path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:+@,";
  return path.find_first_not_of(kPlain) == std::string::npos ? path : fmt::format("'{}'", path);
}

// How numpy reads the samples.
std::string numpy_call(const std::string& data) {
  if (!data.ends_with(".csv")) return fmt::format("numpy.load('{}')", data);
  bool header = false;
  try {
    header = !open_stream(data)->info().columns.empty();
  } catch (const IoError&) {  // reported when it is read
  }
  return fmt::format("numpy.loadtxt('{}', delimiter=','{})", data, header ? ", skiprows=1" : "");
}

std::string commands(const CLI::App& verb, const ForeignMethod& method) {
  const std::string data = result_or(verb, "DATA", "DATA.npy"), model = result_or(verb, "--output", "MODEL");
  const std::string coordinates = fmt::format("{}.npy", method.name);
  const std::string compute =
      method.module.empty()
          ? fmt::format("(your program writes the coordinates, one row per sample, to {})", coordinates)
          : fmt::format("python3 -c \"import numpy, {0}; numpy.save('{1}', {0}.{2}.fit_transform({3}))\"",
                        method.module, coordinates, method.estimator, numpy_call(data));
  return fmt::format("  {}\n  foldout extend {} {} -o {} --extension auto", compute, one_word(data), coordinates,
                     one_word(model));
}

std::string answer(const CLI::App& verb, const std::string& spec) {
  const std::string name = spec.substr(0, spec.find_first_of(":,( "));
  for (const ForeignMethod& method : kForeign)
    if (same_name(method.name, name))
      throw InvalidArgument(fmt::format(
          "method '{}' belongs to another program, but its coordinates can be extended to new samples: run\n{}", name,
          commands(verb, method)));
  return {};
}

}  // namespace

void answer_foreign_methods(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (CLI::Option* method = verb->get_option_no_throw("--method"))
      method->check([verb](const std::string& spec) { return answer(*verb, spec); });
}

}  // namespace foldout::cli
