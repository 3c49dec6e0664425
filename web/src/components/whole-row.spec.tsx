import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { WHOLE_ROW } from './whole-row.js';

const onCopy = jest.fn();

function Users(): React.ReactNode {
  return (
    <>
      <output>{useLocation().pathname}</output>
      <table>
        <tbody>
          {['juno', 'kit', 'lou'].map((name) => (
            <tr key={name} {...WHOLE_ROW}>
              <th>
                <Link data-row to={`/${name}`}>
                  {name}
                </Link>
              </th>
              <td>mail of {name}</td>
              <td>
                <button onClick={onCopy}>Copy {name}</button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

describe('WHOLE_ROW', () => {
  afterEach(() => {
    getSelection()?.removeAllRanges();
    cleanup();
  });
  const place = (): string | null => screen.getByRole('status').textContent;

  it('opens the row that was clicked, without an element that covers it', () => {
    render(<Users />, { wrapper: MemoryRouter });
    fireEvent.click(screen.getByText('mail of juno'));
    expect(place()).toBe('/juno');
    fireEvent.click(screen.getByText('mail of kit'));
    expect(place()).toBe('/kit');
    fireEvent.click(screen.getByRole('link', { name: 'lou' }));
    expect(place()).toBe('/lou');
  });

  it('gives the keys that are held to the link: Ctrl opens a tab, and the page stays', () => {
    render(<Users />, { wrapper: MemoryRouter });
    const clicks: MouseEvent[] = [];
    screen.getByRole('link', { name: 'kit' }).addEventListener('click', (event) => clicks.push(event));
    // jsdom has no tabs
    addEventListener('click', (event) => event.preventDefault(), { once: true });
    fireEvent.click(screen.getByText('mail of kit'), { ctrlKey: true, shiftKey: true });
    expect(clicks.map(({ ctrlKey, shiftKey, metaKey }) => [ctrlKey, shiftKey, metaKey])).toEqual([[true, true, false]]);
    expect(place()).toBe('/');
  });

  it('leaves other controls of the row alone, and text that is being selected', () => {
    render(<Users />, { wrapper: MemoryRouter });
    fireEvent.click(screen.getByRole('button', { name: 'Copy kit' }));
    expect(onCopy).toHaveBeenCalledTimes(1);
    getSelection()?.selectAllChildren(screen.getByText('mail of kit'));
    fireEvent.click(screen.getByText('mail of kit'));
    expect(place()).toBe('/');
  });
});
