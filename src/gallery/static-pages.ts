/** Title and description, by path, of the pages that look the same for every visitor. */
export const STATIC_PAGES: ReadonlyMap<string, { readonly title: string; readonly description: string }> = new Map([
  [
    '/',
    {
      title: 'Fanvas: Create Official Fan Art with AI',
      description:
        'Pick a creator, describe a picture, get official fan art in their style. Creators consent to it and earn half of every paid image.',
    },
  ],
  [
    '/faq',
    {
      title: 'FAQ · Fanvas',
      description: 'Read how to create fan art on Fanvas, what credits cost, how creators earn, and where to get help.',
    },
  ],
  [
    '/community-guidelines',
    {
      title: 'Community Guidelines · Fanvas',
      description: 'These rules say what may be made with a creator’s likeness on Fanvas, and what may not.',
    },
  ],
  [
    '/creator-terms',
    {
      title: 'Creator Terms of Use · Fanvas',
      description: 'Creators and Fanvas agree on these terms about likeness, consent, revenue and leaving.',
    },
  ],
  [
    '/creator-requirements',
    {
      title: 'Creator Requirements · Fanvas',
      description:
        'Read who can become a creator on Fanvas, which works a model needs, and how applications are reviewed.',
    },
  ],
  ['/termsofuse', { title: 'Terms of Use · Fanvas', description: 'These are the terms on which Fanvas may be used.' }],
  [
    '/privacypolicy',
    { title: 'Privacy Policy · Fanvas', description: 'Read what Fanvas knows about you, why, and for how long.' },
  ],
]);
