import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Training tests each hold a TensorFlow backend of their own: one process a file keeps them apart.
    pool: "forks",
  },
});
