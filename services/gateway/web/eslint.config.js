import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts"] },
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  hooks.configs.flat.recommended,
  a11y.flatConfigs.recommended,
  {
    rules: {
      // With noUncheckedIndexedAccess on, `!` marks where the index is known to be there.
      "@typescript-eslint/no-non-null-assertion": "off",
      // A scrolling box must be reachable by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": "off",
      // The size of a module, and how much one function may decide.
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 15],
    },
  },
);
