/** Who uses the page: an API key, kept for this tab or, if asked, for this browser. */
import { useSyncExternalStore } from "react";

const NAME = "dynaboard-key";
const watchers = new Set<() => void>();

export function key(): string | null {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
}

/** Keeps a key until the tab is closed, or with `stay` until signing out. */
export function signIn(secret: string, stay: boolean): void {
  signOutSilently();
  (stay ? localStorage : sessionStorage).setItem(NAME, secret);
  tell();
}

export function signOut(): void {
  signOutSilently();
  tell();
}

/** Whether the key stays in this browser after the tab is closed. */
export function staysHere(): boolean {
  return sessionStorage.getItem(NAME) === null && localStorage.getItem(NAME) !== null;
}

/** The key now, and again whenever it changes. */
export function useKey(): string | null {
  return useSyncExternalStore(watch, key);
}

function signOutSilently(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  window.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", watcher);
  };
}
