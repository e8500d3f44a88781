// SPDX-License-Identifier: MIT
/* What the programs of bench/peers_heap share: the scene from the command line and the standard
 * input (the width of the box, 0 for none, and the starts), processor time of the steps, places at
 * the end. */
#ifndef PEERS_HEAP_H
#define PEERS_HEAP_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

constexpr double heap_radius = 0.1, heap_mu = 0.5, heap_gravity = 9.81;

struct point {
  double x, y, z;
};

struct heap {
  bool box;
  double step, walls;
  long steps;
  std::vector<point> start;
};

inline heap heap_read(int argc, char **argv) {
  heap h = {};
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s sphere|box|disk STEP SPAN < starts\n", argv[0]);
    std::exit(2);
  }
  h.box = std::string(argv[1]) == "box";
  h.step = std::atof(argv[2]);
  h.steps = std::lround(std::atof(argv[3]) / h.step);
  point p;
  bool ok = std::scanf("%lf", &h.walls) == 1;
  while (ok && std::scanf("%lf %lf %lf", &p.x, &p.y, &p.z) == 3) {
    h.start.push_back(p);
  }
  return h;
}

class heap_clock {
  std::clock_t begin = std::clock();

public:
  void stop() const {
    std::printf("%.6f\n", double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
};

inline void heap_print(double x, double y, double z) {
  std::printf("%.17g %.17g %.17g\n", x, y, z);
}

#endif
