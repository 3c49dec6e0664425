/** The package has no types. Each list is a property by the code of its language. */
declare module 'naughty-words' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
