import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** `npm run dev` shows the page of a platform that runs elsewhere; its address is DYNABOARD_URL. */
const platform = process.env.DYNABOARD_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist",
    assetsDir: "assets",
    sourcemap: true,
    target: "es2022",
    chunkSizeWarningLimit: 300,
    assetsInlineLimit: 0,
  },
  server: { port: 5173, proxy: { "/api": platform, "/static": platform } },
  css: { modules: { localsConvention: "camelCaseOnly" } },
});
