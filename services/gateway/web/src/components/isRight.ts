/** Whether an answer is one of those accepted. Pure.
 *
 * As the platform scores it (after Rajpurkar et al. 2016): neither case, punctuation, articles nor blanks count.
 */
export function isRight(answer: string, accepted: readonly string[]): boolean {
  const given = normalised(answer);
  // Of a label such as "+" nothing would be left.
  return accepted.some((one) => one === answer || (given !== "" && normalised(one) === given));
}

function normalised(text: string): string {
  const words = text.toLowerCase().replaceAll(/[!-/:-@[-`{-~]/g, "");
  return words
    .replaceAll(/\b(a|an|the)\b/g, " ")
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
}
