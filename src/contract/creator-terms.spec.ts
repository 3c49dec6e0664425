import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  ACCEPTANCE_STATEMENT,
  CREATOR_TERMS,
  CREATOR_TERMS_EFFECTIVE,
  CREATOR_TERMS_VERSION,
  creatorTermsText,
} from './creator-terms.js';

describe('the text of the creator terms', () => {
  it('[C9.01] has one text for each version: a changed text needs a new version', () => {
    const sha256 = createHash('sha256').update(creatorTermsText()).digest('hex');
    expect({ version: CREATOR_TERMS_VERSION, effective: CREATOR_TERMS_EFFECTIVE, sha256 }).toEqual({
      version: 'v1.0',
      effective: '7/31/2025',
      sha256: '5cbef6dd041bd332638aa6efd33cff1de4eada49108a1822c89b558f233b1208',
    });
    expect(ACCEPTANCE_STATEMENT).toContain(`Creator Terms of Use ${CREATOR_TERMS_VERSION}`);
    expect(ACCEPTANCE_STATEMENT).toContain('18 or older');
  });

  it.each([
    ['eligibility', /at least 18 years old/],
    ['content rights', /stay yours/],
    ['revenue sharing', /half of what the fan paid/],
    ['prohibited use', /Prohibited use/],
    ['payment terms', /pay what is payable in US dollars/],
    ['moderation', /Moderation/],
    ['termination', /Termination/],
    ['arbitration', /binding arbitration/],
    ['DMCA takedown', /Digital Millennium Copyright Act/],
  ])('[C2.27] covers the topic: %s', (_topic, words) => {
    expect(creatorTermsText()).toMatch(words);
  });

  it('[C9.02] limits the liability to the greater of 12 months of payments or $100, after 30 days of informal talks', () => {
    const text = creatorTermsText();
    expect(text).toContain('the greater of the amounts that we paid to you in the last 12 months or $100');
    expect(text).toContain('For 30 days both sides try to resolve the dispute informally');
  });

  it('hashes every title and paragraph', () => {
    const text = creatorTermsText();
    for (const [index, { title, paragraphs }] of CREATOR_TERMS.entries()) {
      expect(text).toContain(`\n${index + 1}. ${title}\n${paragraphs.join('\n')}\n`);
    }
  });
});
