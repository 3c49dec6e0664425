import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { screenIs, textsOf } from '../../test/page.js';
import { Table, type Column } from './table.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
}
const rows: readonly Row[] = [
  { id: '1', name: 'Juno', credits: 10 },
  { id: '2', name: 'Kit', credits: 1250 },
];
const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'credits', header: 'Credits', numeric: true, cell: ({ credits }) => credits },
];
const stacked = ({ name, credits }: Row): string => `${name}: ${credits}`;
const base = { caption: 'Creators', columns, rowKey: ({ id }: Row) => id, stacked };

describe('Table', () => {
  beforeEach(() => screenIs(true));
  afterEach(cleanup);

  it('names itself, its columns and its cells, and aligns numbers to the right', () => {
    render(<Table {...base} rows={rows} />);
    expect(screen.getByRole('table', { name: 'Creators' })).toBeTruthy();
    expect(textsOf(screen.getAllByRole('columnheader'))).toEqual(['Name', 'Credits']);
    expect(screen.getByRole('cell', { name: '1250' }).className).toContain('text-right');
    expect(screen.getByRole('cell', { name: 'Kit' }).className).not.toContain('text-right');
  });

  it('shows a skeleton while the first rows load', () => {
    render(<Table {...base} rows={undefined} loadingLabel="Loading creators" />);
    expect(screen.getByRole('status').textContent).toBe('Loading creators');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows why there are no rows, and retries', () => {
    const onRetry = jest.fn();
    render(<Table {...base} rows={undefined} error={{ title: 'Error loading creators', onRetry }} />);
    expect(screen.getByRole('alert').textContent).toContain('Error loading creators');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it('keeps its rows when loading them again fails', () => {
    render(<Table {...base} rows={rows} error={{ title: 'Error loading creators' }} />);
    expect(screen.getByRole('table')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the empty state, or nothing, without rows', () => {
    const { rerender, container } = render(<Table {...base} rows={[]} empty={{ title: 'No creators yet' }} />);
    expect(screen.getByText('No creators yet')).toBeTruthy();
    rerender(<Table {...base} rows={[]} />);
    expect(container.textContent).toBe('');
  });

  it('dims the rows while other rows load', () => {
    const { container } = render(<Table {...base} rows={rows} stale />);
    expect(container.firstElementChild?.getAttribute('aria-busy')).toBe('true');
    expect(container.firstElementChild?.className).toContain('opacity-60');
  });

  it('draws a list of rows on a narrow screen', () => {
    screenIs(false);
    render(<Table {...base} rows={rows} />);
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByRole('list', { name: 'Creators' }).children).toHaveLength(2);
    expect(textsOf(screen.getAllByRole('listitem'))).toEqual(['Juno: 10', 'Kit: 1250']);
  });
});
