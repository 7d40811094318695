/** Heads of the columns that hold two models' numbers and their difference. */
export function PairHeads({ names }: { readonly names: readonly [string, string] }) {
  return [...names, "Difference", "95 % interval"].map((title, at) => (
    <th key={at} scope="col" className="number">
      {title}
    </th>
  ));
}
