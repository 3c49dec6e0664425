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
      description: 'How to create fan art on Fanvas, what credits cost, how creators earn, and where to get help.',
    },
  ],
  [
    '/community-guidelines',
    {
      title: 'Community Guidelines · Fanvas',
      description: 'What may be made with a creator’s likeness on Fanvas, and what may not.',
    },
  ],
  [
    '/creator-terms',
    {
      title: 'Creator Terms of Use · Fanvas',
      description: 'What creators and Fanvas agree on: likeness, consent, revenue, and how to leave.',
    },
  ],
  [
    '/creator-requirements',
    {
      title: 'Creator Requirements · Fanvas',
      description: 'Who can become a creator on Fanvas, which works a model needs, and how applications are reviewed.',
    },
  ],
  ['/termsofuse', { title: 'Terms of Use · Fanvas', description: 'The terms on which Fanvas may be used.' }],
  [
    '/privacypolicy',
    { title: 'Privacy Policy · Fanvas', description: 'What Fanvas knows about you, why, and for how long.' },
  ],
]);
