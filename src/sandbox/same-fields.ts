/** The words of a text, separated by spaces. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Fields that all have the same value, such as those of a provider's object that the sandbox leaves empty. */
export function all<const Names extends string, const Value>(
  value: Value,
  names: Names,
): Readonly<Record<Words<Names>, Value>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value])) as Readonly<Record<Words<Names>, Value>>;
}
