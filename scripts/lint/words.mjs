/**
 * The words that the style lint refuses, each with what to write instead. docs/style.md explains the rules.
 * A pattern matches whole words in any case. Strings of the product are not checked.
 */

/** @typedef {{ pattern: string, instead: string }} Word */

/** @type {Word[]} Refused in comments and in the titles of tests. */
export const words = [
  { pattern: 'who(ever|mever)', instead: 'name the actor: the caller, the fan, any client' },
  { pattern: 'whatever|whichever', instead: 'any …, every …, or "regardless of …"' },
  { pattern: 'no matter', instead: 'regardless of' },
  { pattern: 'however (many|much|often|long|few|small|large|big|the)', instead: 'any number of …, regardless of …' },
  { pattern: 'anew|afresh', instead: 'again' },
  { pattern: 'nobody', instead: 'no one, no client, or the actor with "not"' },
  { pattern: 'somebody|anybody', instead: 'name the actor: a user, another instance, any visitor' },
  { pattern: 'everybody', instead: 'everyone, all users' },
  { pattern: 'whom', instead: 'name the actor' },
  { pattern: 'those who|(that|he|one) who|that which', instead: 'a plain noun' },
  { pattern: '(hear|hears|heard) of', instead: 'receives, learns, is notified of' },
  { pattern: '(go|goes|went) round', instead: 'iterates, rotates, wraps' },
  { pattern: '(to|can|could|may) be had', instead: 'available' },
  { pattern: '(of|not) (ours|theirs|yours)', instead: 'known/unknown, or name the owner' },
  { pattern: 'of use to', instead: 'relevant, needed' },
  { pattern: '(stand|stands|stood)(?! for| in for)', instead: 'is, exists, is stored' },
  { pattern: 'beside', instead: 'next to, along with, in addition to' },
  { pattern: 'tell|tells|told', instead: 'reports, returns, notifies, resolves, distinguishes' },
  { pattern: '(speak|speaks|spoke) (of|about)', instead: 'mentions' },
  { pattern: 'said of|is said to|are said to', instead: 'give the sentence a subject' },
  { pattern: 'the house|in the house|a house', instead: 'the application, the code base, the platform' },
  { pattern: 'the weather', instead: 'transient failures' },
  { pattern: 'which is (why|what|how|where|when)', instead: 'start a new sentence: "Therefore …" or "Because …"' },
  { pattern: '(,|and|;) of which|half of which|all of which|none of which', instead: 'a second sentence' },
  { pattern: 'lest', instead: 'so that … not' },
  { pattern: 'should (it|they|one|this|that|the|a|an) \\w+', instead: 'if … (an inversion is hard to read)' },
  { pattern: 'shall|ought', instead: 'must, should' },
  { pattern: 'upon', instead: 'on' },
  { pattern: 'in vain', instead: 'without success' },
  { pattern: 'for good', instead: 'permanently' },
  { pattern: 'no sooner', instead: 'only after' },
  { pattern: '(come|comes|came|amounts) to the same', instead: 'is equivalent, gives the same result' },
  { pattern: '(is|are) as good', instead: 'is accepted, works too' },
  { pattern: '(become|becomes|became) of', instead: 'the outcome of' },
  { pattern: 'in the place of', instead: 'instead of, in place of' },
  { pattern: 'once and for all|so to speak|as it were|all the same|by and by|in small', instead: 'leave it out' },
  { pattern: 'a hand', instead: 'CLOCK hand, pointer' },
  { pattern: 'hands? on(?! (the|a|to))', instead: 'passes on, forwards' },
  { pattern: 'hence|whence|thus|thereby|thereof|therein|hitherto|whereby|wherein', instead: 'so, then, by this' },
  { pattern: 'has (anything|something|nothing) to say', instead: 'name the result' },
];

/** @type {Word[]} Refused in the titles of tests alone: there they hide what happens. */
export const titleWords = [
  { pattern: 'says so', instead: 'what it says: reports the failure, shows an error' },
  { pattern: 'leads?', instead: 'redirects, navigates, links' },
  { pattern: 'takes? \\S+ for', instead: 'treats … as' },
  { pattern: 'for itself', instead: 'the name of the caller' },
  { pattern: 'keeps? no one waiting', instead: 'does not block' },
];

/**
 * @type {Word[]} Refused as the first words of a comment: they make a riddle where a noun or a verb is expected
 * ("What a processor does" becomes "Simulates a card processor").
 */
export const openings = [
  { pattern: 'who|whose|what', instead: 'start with a noun or a verb' },
  { pattern: 'said|of (a|the|which|what)|that (which|the|a|an|it|they)', instead: 'give the sentence a subject' },
];

/** Names that say nothing about their value, refused for variables, parameters, functions and members. */
export const names = ['of', 'whole', 'tell', 'told', 'wordsOf', 'anew', 'what', 'that'];

/** Names with several meanings in the product: due work or an expected value, a held lock or held credits. */
export const ambiguousNames = ['due', 'held', 'given', 'left'];
