import "./design/tokens.css";
import "./design/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { applyTheme } from "./app/theme";

applyTheme();
const place = document.getElementById("page");
if (!place) throw new Error("index.html has no #page");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
