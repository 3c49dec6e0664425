/** The prompts of the dice button: 21, for any creator's style. */
export const SAMPLE_PROMPTS: readonly string[] = [
  'A lighthouse keeper reading letters to the sea',
  'The last train home, empty except for a fox',
  'A greenhouse on the moon at harvest time',
  'Two strangers sharing one umbrella in the rain',
  'A market where only weather is sold',
  'The orchestra of a drowned city tuning up',
  'A giant asleep beneath a field of poppies',
  'Breakfast on the roof while the circus leaves town',
  'A library whose books fly south for winter',
  'The ring season begins over a copper world',
  'A diver finds a staircase at the bottom of the lake',
  'An old radio growing moss and playing spring',
  'A paper boat crossing a sea of clouds',
  'The night shift at a star factory',
  'A tiger made of folded maps',
  'A desert where the dunes are violet silk',
  'A clockmaker repairing the sunrise',
  'Midnight picnic under a whale-shaped balloon',
  'A mountain wearing the first snow like a scarf',
  'A door standing alone in a wheat field',
  'The garden that only opens during eclipses',
];

/** A sample prompt other than the one already in the field. */
export function randomPrompt(current: string, random: () => number = Math.random): string {
  const choices = SAMPLE_PROMPTS.filter((prompt) => prompt !== current);
  return choices[Math.floor(random() * choices.length)] ?? SAMPLE_PROMPTS[0]!;
}
