import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import axe from 'axe-core';
import { Menu, MenuContent, MenuItem, MenuTrigger } from './menu.js';

describe('MenuContent', () => {
  afterEach(cleanup);

  it('renders its sheet inside the main landmark', async () => {
    render(
      <>
        <header>
          <Menu modal={false}>
            <MenuTrigger>Account</MenuTrigger>
            <MenuContent>
              <p>Ada Fan</p>
              <MenuItem>Credits</MenuItem>
            </MenuContent>
          </Menu>
        </header>
        <main id="main">
          <h1>Page</h1>
        </main>
      </>,
    );
    fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
    expect(document.getElementById('main')?.contains(screen.getByRole('menu'))).toBe(true);
    const { violations } = await axe.run(document.body, { runOnly: { type: 'rule', values: ['region'] } });
    expect(violations).toEqual([]);
  });
});
