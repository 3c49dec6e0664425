import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { accessibilityFaults, fakeServer, generation, refusal, renderPage, onPage } from '../../../test/page.js';
import GenerationRedirectPage from './generation-redirect-page.js';

describe('GenerationRedirectPage', () => {
  onPage();

  const open = async (answer: unknown) => {
    fakeServer({ get_generation_by_id: answer });
    const router = await renderPage(<GenerationRedirectPage />, '/generation/g1', '/generation/:generationId');
    return router.state.location;
  };

  it('[F2.07] redirects to the page of the generation', async () => {
    expect(await open(generation())).toMatchObject({ pathname: '/junoabara/generate/g1' });
  });

  it.each([
    ['does not exist', refusal(404, 'Generation not found or access denied')],
    ['has no creator', generation({ creator_username: 'unknown' })],
  ])('[F2.08] redirects to My Creations, with the reason, when the generation %s', async (_, answer) => {
    expect(await open(answer)).toMatchObject({
      pathname: '/my-creations',
      state: { error: 'Could not find creator information for this generation' },
    });
  });

  it('[F2.08] shows a screen with a button to My Creations when the generation could not be looked up', async () => {
    await open(refusal(403, 'permission denied'));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This generation could not be loaded');
    expect(screen.getByRole('link', { name: 'Go to My Creations' }).getAttribute('href')).toBe('/my-creations');
    expect(await accessibilityFaults()).toEqual([]);
  });
});
