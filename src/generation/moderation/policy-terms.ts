/**
 * The words of the local content policy, in plain spelling: the matcher handles disguises and plurals. Coarse words and
 * slurs are not repeated here; they come from the word list of the `obscenity` package.
 */

const terms = (list: string): readonly string[] => list.split(',').map((term) => term.trim());

/** Terms that are sexual on their own. */
export const SEXUAL_TERMS = terms(`
  nude, nudity, nudist, naked, nakedness, topless, bottomless, unclothed, undressing, nsfw, erotic,
  erotica, eroticism, pornographic, sexual, sexually, sex, intercourse, foreplay, striptease, stripper,
  genital, genitals, genitalia, nipple, areola, crotch, aroused, arousal, orgasmic, fetish, bdsm, bondage,
  dominatrix, camgirl, onlyfans leak, sex act, sex scene, sex toy, without clothes, without any clothes,
  no clothes, no clothing, without clothing, wearing nothing, nothing on, fully exposed, exposed breasts,
  bare breasts, bare chested woman, birthday suit, making love, having sex, lewd, ecchi, hardcore scene,
  explicit scene, explicit content`);

/** Terms that are allowed for adults, but never together with a word for a minor. */
export const SUGGESTIVE_TERMS = terms(`
  sexy, sexier, sexiest, seductive, seductively, seducing, sensual, sensually, sultry, provocative, provocatively, alluring,
  lingerie, bikini, underwear, panties, thong, bra, swimsuit, swimwear, negligee, nightie, corset,
  cleavage, flirty, flirting, flirtatious, kissing, making out, lust, lustful, horny, kinky, see through,
  skimpy, revealing, scantily clad, barely dressed, half dressed, undressed, shirtless, suggestive,
  suggestively, voluptuous, curvy, busty, thirst trap, pin up, pinup, boudoir, in bed, wet shirt, upskirt,
  miniskirt, spread legs, bending over, touching herself, touching himself, naughty, hot body, tempting,
  temptress, fishnet, garter, stockings, intimate, bath, bathing, shower`);

/** Words for people under 18. Ages in numbers and words are recognised elsewhere. */
export const MINOR_TERMS = terms(`
  child, children, childlike, kid, kiddo, toddler, infant, newborn, baby, babies, minor, underage,
  under age, underaged, preteen, pre teen, tween, teen, teenage, teenaged, teenager, adolescent,
  prepubescent, pubescent, juvenile, youngster, schoolgirl, schoolboy, schoolchild, schoolchildren,
  school girl, school boy, schoolkid, pupil, kindergarten, kindergartner, preschool, preschooler,
  elementary school, primary school, middle school, junior high, high school, highschool, high schooler,
  highschooler, middle schooler, middleschooler, grade school, grade schooler, gradeschooler, elementary schooler,
  primary schooler, kindergartener, tweenager, teenie, first grader, second grader, third grader, fourth grader, fifth grader, sixth grader,
  seventh grader, eighth grader, ninth grader, little girl, little boy, young girl, young boy, small girl,
  small boy, little sister, little brother, daughter, stepdaughter, stepson, girl scout, boy scout, loli,
  lolita, shota, niece, nephew, youth, boyish child, girlchild, underdeveloped, tiny girl, tiny boy,
  minor aged`);

/** Terms that are sexual and about minors on their own. */
export const MINOR_SEXUAL_TERMS = terms(`
  lolicon, shotacon, jailbait, barely legal`);

/** Words for a real person who has not consented. */
export const REAL_PERSON_TERMS = terms(`
  my ex, my ex girlfriend, my ex boyfriend, my ex wife, my ex husband, my teacher, my boss, my coworker,
  my colleague, my neighbor, my neighbour, my classmate, my roommate, my crush, my landlord, my doctor,
  a real person, real person, real people, real woman, real man, celebrity, famous actress, famous actor,
  famous singer, politician, the president, prime minister, the senator, the mayor, journalist, a streamer,
  this streamer, influencer, tv host, news anchor, my sister, my brother, my cousin, my mother, my father,
  my friend, my girlfriend, my boyfriend, my wife, my husband, my stepmother, the actress, the actor`);

/** Acts that an image must not show against a real person. */
export const DEGRADING_TERMS = terms(`
  humiliated, humiliating, humiliation, degraded, degrading, beaten up, beaten, tortured, torture,
  strangled, choked, stabbed, shot dead, murdered, beheaded, executed, hanged, lynched, bruised, battered,
  begging for mercy, tied up, gagged, kidnapped, abused, assaulted, mutilated, dead body, corpse,
  crying in pain, covered in blood, whipped, enslaved, on a leash, ugly and fat, mocked`);

/** Terms that abuse a real person on their own. */
export const REAL_PEOPLE_ABUSE_TERMS = terms(`
  deepfake, deep fake, nudify, undress her, undress him, undress them, remove her clothes,
  remove his clothes, remove their clothes, take off her clothes, take off his clothes, strip her,
  without her consent, without his consent, without their consent, revenge porn, non consensual,
  nonconsensual, blackmail her, blackmail him, fake mugshot of, to shame her, to shame him,
  to humiliate her, to humiliate him`);

/** Terms that are hate on their own. Slurs come from the package's list. */
export const HATE_TERMS = terms(`
  swastika, nazi, neo nazi, hitler, heil, sieg heil, third reich, white power, white supremacy,
  white supremacist, ku klux klan, klansman, klansmen, master race, racial purity, race war,
  ethnic cleansing, great replacement, holocaust denial, gas chamber, blackface, lynch mob, subhuman,
  untermensch, inferior race, racist caricature, racist propaganda, antisemitic, anti semitic,
  islamophobic, homophobic, transphobic, hate symbol, hate propaganda, terrorist propaganda,
  genocide is good`);

/** Groups of people. `DEHUMANISING_TERMS` are hateful only together with one of them. */
export const GROUP_TERMS = terms(`
  jew, jewish, muslim, christian, hindu, sikh, black people, white people, asian, arab, african, mexican,
  latino, roma, gypsy, immigrant, migrant, refugee, foreigner, gay, gay people, lesbian, trans,
  transgender, trans people, disabled people, women, minorities, indian people, chinese people`);

/** Terms that dehumanise a group. */
export const DEHUMANISING_TERMS = terms(`
  vermin, parasite, cockroach, rats, as rats, as pigs, as monkeys, as apes, inferior, filthy, dirty,
  exterminate, exterminated, eradicate, eradicated, should die, must die, killed off, wiped out, purge,
  plague, deported in cages, in cages, kill all, get rid of, criminals by nature, evil conspiracy`);

/** Terms for self-harm. */
export const SELF_HARM_TERMS = terms(`
  suicide, suicidal, self harm, selfharm, self harming, self injury, self mutilation, kill myself,
  killing myself, kill herself, kill himself, kill themselves, killing herself, killing himself,
  end my life, ending my life, end her life, end his life, ending it all, take my own life,
  took her own life, took his own life, hang myself, hanging myself, hanging herself, hanging himself,
  slit wrist, slit my wrist, slitting her wrists, slitting his wrists, cut wrists, cut my wrists,
  cutting myself, cutting herself, cutting himself, cuts on wrists, cuts on arms, razor on wrist,
  noose around, noose for me, overdose, overdosing, pro ana, proana, thinspo, thinspiration,
  starving myself, starve myself, burning myself`);

/** Phrases that contain a term but mean something else. They are removed before matching. */
export const HARMLESS_PHRASES = terms(`
  suicide squad, naked eye, naked mole rat, naked juice, nude lipstick, nude color, nude colour,
  nude shoes, nude heels, breast cancer, bath house row, bird bath, turkish bath tiles, bath england,
  city of bath, bath abbey, baby blue, baby grand, baby breath, minor key, ursa minor, asia minor,
  teenage mutant ninja turtles, lust for life, bondage of debt, drug overdose awareness,
  suicide prevention, hindu swastika, buddhist swastika, christ child, dick van dyke, dick tracy,
  moby dick, philip k dick, intercourse pennsylvania, kid rock, karate kid, billie eilish, pussy willow, baby shower,
  cock a doodle, weather cock, cock robin, prince charles spaniel, daughter of the sea, rotten tomatoes`);

/** Sexual words of the package's list. Its other words count as hate, except those that are only coarse. */
export const SEXUAL_WORDS_OF_LIST: ReadonlySet<string> = new Set(
  terms(`
    anal, anus, ass, bestiality, blowjob, boob, buttplug, cock, cum, cunt, deepthroat, dick, dildo,
    doggystyle, double penetration, ejaculate, fellatio, finger bang, fisting, fuck, gangbang, handjob,
    hentai, hooker, incest, jerk off, jizz, lubejob, masturbate, orgasm, orgy, penis, porn, pussy, rape,
    semen, sex, slut, tit, vagina, wank, whore, felch, cuck`),
);
/** Coarse words of the package's list, and `negro`, the Spanish and Portuguese name of a colour. Both are allowed. */
export const COARSE_WORDS_OF_LIST: ReadonlySet<string> = new Set(
  terms(`
    negro, arse, bastard, bitch, bollocks, piss, prick, scat, shit, turd, twat, spastic`),
);
