/** Light, dark, or as the system has it. */
import { useState } from "react";

const NAME = "dynaboard-theme";
export type Theme = "system" | "light" | "dark";

/** Applies what was chosen before; called once before anything is drawn. */
export function applyTheme(theme: Theme = saved()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(saved);
  const choose = (chosen: Theme) => {
    if (chosen === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  return [theme, choose];
}

function saved(): Theme {
  const name = localStorage.getItem(NAME);
  return name === "light" || name === "dark" ? name : "system";
}
