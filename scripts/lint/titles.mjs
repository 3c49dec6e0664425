/** The heuristics for the titles of tests. They use first words and word lists, not grammar. */

/** First words of half sentences: the reader would need the `describe` to complete them. */
const halfSentence = new Set(
  `that is are was were be been am can could may might must should will would of and or but nor whose which who whom
  because if for in on at by as with without within from to into before after while when where until unless since
  also about only once alone not nothing than though although despite per via under over between through what`.split(
    /\s+/,
  ),
);

/** First words of a sentence with a subject of its own. */
const subjectStarters = new Set('a an the no each every both all any two three one'.split(' '));

/** Adverbs and helpers that may come before the verb of a title. */
const verbHelpers = new Set('does never always still then immediately cannot'.split(' '));

const auxiliaries = /^(is|are|was|were|has|have|had|does|do|did|can|cannot|could|must|will|may)$/i;

/** Words in -s that are nouns nearly everywhere in this product: they do not make a sentence of a title. */
const nouns = new Set(
  `accounts adapters admins auditors balances bytes calls cents characters clients columns commands credits
  creators deductions details emails events fans fields files galleries generations grants hashes headers ids images
  instances items keys lines links logs lots minutes months names numbers others pages pictures payments pixels prompts
  projections purchases queries refunds requests responses results rows rules seals seconds sessions sockets
  statements streams tables tests times tokens units updates users values versions visitors webhooks words
  this its his us as thus less plus yes always perhaps sometimes besides others ours theirs`.split(/\s+/),
);

/**
 * Removes rule ids and a leading case name: `[F8.29] %s: refunds once` becomes `refunds once`.
 * @param {string} title
 */
function core(title) {
  return title
    .replace(/^(\s*\[[A-Z]\d+\.\d+(, ?[A-Z]\d+\.\d+)*\])+\s*/, '')
    .replace(/^[^ ]*(%\w|\$\w+|\$\{[^}]*\})[^:]*:\s+/, '')
    .trim();
}

/**
 * @param {string} title of an `it` or `test`
 * @returns {string | undefined} what is wrong with it
 */
export function titleProblem(title) {
  const text = core(title);
  const [first = '', ...rest] = text.split(/\s+/);
  const word = first.toLowerCase().replace(/[,;:.]+$/, '');
  // A table of cases may supply the title
  if (/^(%\w|\$\w+|\$\{[^}]*\})$/.test(first) && rest.length === 0) return undefined;
  if (rest.length === 0) return 'says too little: write what happens, and when';
  if (halfSentence.has(word)) return `is half a sentence: it starts with "${first}"`;
  if (verbHelpers.has(word)) return undefined;
  if (subjectStarters.has(word) || !/^[a-z]/.test(first)) return sentenceProblem(rest);
  if (isVerb(word) || alsoVerbs.has(word)) return undefined;
  if (/[^a-z]/.test(word) || nouns.has(word)) return sentenceProblem(rest, nouns.has(word));
  return `starts with "${first}": start with a verb ("refunds …") or a subject with its article`;
}

/** Nouns of that list that are verbs at the start of a title: "names the event", "credits the account". */
const alsoVerbs = new Set(
  `accounts calls credits details fields files grants hashes images keys links logs names numbers prompts
  purchases queries refunds requests rules seals streams tests updates values`.split(/\s+/),
);

/** @param {string} word */
const isVerb = (word) => /^[a-z]+[^s'’]s$/.test(word) && !nouns.has(word);

/**
 * @param {string[]} rest the words after the first of a title with its own subject
 * @param {boolean} [plural] whether that subject is a plural, whose relative clauses have verbs without -s
 */
function sentenceProblem(rest, plural = false) {
  const text = rest.join(' ');
  const verbs = text.split(/[^\w'’-]+/).filter((word) => auxiliaries.test(word) || isVerb(word)).length;
  // Each relative clause needs a verb of its own: "a seal that was lost" is no sentence
  const clauses = plural ? 0 : (text.match(/\b(that|which|who|whose)\b/g)?.length ?? 0);
  return verbs > clauses ? undefined : 'has no verb: write a full sentence';
}

/**
 * @param {string} name of a `describe`
 * @returns {string | undefined} what is wrong with it
 */
export function describeProblem(name) {
  const text = core(name);
  const first = text.split(/\s+/)[0]?.toLowerCase() ?? '';
  if (halfSentence.has(first) || ['has', 'does', 'whatever', 'whoever', 'any'].includes(first)) {
    return `is half a sentence: it starts with "${first}"`;
  }
  // A request or a path may contain any word
  if (/^[A-Z]+ \S*$/.test(text)) return undefined;
  const clause = /[ ,](that|who|whose|which|while|when|whatever|whoever) /.exec(text)?.[1];
  return clause === undefined ? undefined : `has a clause ("${clause} …"): name the unit or the call`;
}
