/** Hands the reader a file that the page holds. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it by the time anything else is done.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
