// SPDX-License-Identifier: MIT
// The same from C++, with owners that free themselves.
#include <cmath>
#include <cstdio>
#include <memory>
#include <pawl/pawl.h>
#include <stdexcept>
#include <string_view>

namespace {

template <class T, void (*release)(T *)> struct owner {
  T *p = nullptr;
  owner() = default;
  owner(const owner &) = delete;
  owner &operator=(const owner &) = delete;
  ~owner() {
    release(p);
  }
};

void need(pawl_status status) {
  if (status != PAWL_OK) {
    throw std::runtime_error(pawl_status_text(status));
  }
}

} // namespace

int main() {
  constexpr std::string_view text = "coordinates x\n"
                                    "kinetic T = 1/2*x'^2\n"
                                    "potential V = 1/2*x^2\n"
                                    "start x = 1, x' = 0\n"
                                    "run 0..10\n";
  try {
    owner<pawl_diags, pawl_diags_free> diags;
    owner<pawl_model, pawl_model_free> model;
    owner<pawl_system, pawl_system_free> system;
    owner<pawl_sim, pawl_sim_free> sim;
    need(pawl_diags_new(&diags.p));
    need(pawl_model_parse(text.data(), text.size(), nullptr, diags.p, &model.p));
    need(pawl_system_new(model.p, nullptr, diags.p, &system.p));
    need(pawl_sim_new(system.p, nullptr, diags.p, &sim.p));
    pawl_stop why;
    need(pawl_sim_advance(sim.p, std::acos(-1.0), diags.p, &why));
    pawl_point end;
    need(pawl_sim_point(sim.p, PAWL_AFTER, &end));
    std::printf("pawl %s from C++: x(pi) = %.10f\n", PAWL_VERSION, end.q[0]);
    return std::fabs(end.q[0] + 1) < 1e-7 ? 0 : 1;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
