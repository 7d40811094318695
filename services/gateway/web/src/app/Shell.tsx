import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useTasks, useWhoAmI } from "../api/tasks";
import { places } from "./places";
import styles from "./shell.module.css";
import { type Theme, useTheme } from "./theme";

/** What stands around every page: where one is, who one is, and what it is all about. */
export function Shell({ children }: { readonly children: ReactNode }) {
  useFocusOnPage();
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link href={places.home()} className={styles.name}>
            <img src="/static/icon.svg" alt="" width="22" height="22" />
            Dynaboard
          </Link>
          <Boards />
          <Mine />
        </div>
      </header>
      {children}
      <footer className={styles.footer}>
        <p>
          Every number here was measured by this platform, on one kind of machine for all, and says how sure it is. A
          leaderboard is one view of a few datasets: it does not say that a model is fit, fair or safe for your use.
        </p>
        <nav aria-label="More">
          <a href="/api/v1/docs">API</a>
          <a href="/plain">Without script</a>
          <Themes />
        </nav>
      </footer>
    </>
  );
}

function Boards() {
  const tasks = useTasks();
  const [here] = useLocation();
  return (
    <nav aria-label="Leaderboards" className={styles.links}>
      {(tasks.data ?? []).map(({ name, title }) => (
        <Link
          key={name}
          href={places.board(name)}
          aria-current={here === places.board(name) || here.startsWith(`${places.board(name)}/`) ? "page" : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Mine() {
  const whoAmI = useWhoAmI();
  const [here] = useLocation();
  const links: [string, string][] = [["Datasets", places.datasets()]];
  if (whoAmI.data) links.push(["Submissions", places.submissions()]);
  links.push(["Submit", places.submit()], [whoAmI.data?.name ?? "Sign in", places.account()]);
  return (
    <nav aria-label="You" className={styles.links}>
      {links.map(([title, to]) => (
        <Link key={to} href={to} aria-current={here === to ? "page" : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Themes() {
  const [theme, setTheme] = useTheme();
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
      <option value="system">Colours of the system</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

/** After going to another page, reading starts at its top, not where the last one was left. */
function useFocusOnPage(): void {
  const [here] = useLocation();
  const before = useRef(here);
  useEffect(() => {
    if (before.current === here) return;
    before.current = here;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [here]);
}
