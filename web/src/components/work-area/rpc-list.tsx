import { cx } from '../../lib/cx.js';
import { PagesNav, type Pages } from '../pagination.js';
import { Answer, type AnswerProps, type LoadWords } from './answer.js';
import { ListBlocks, ListRows, type ListRowsProps } from './list-rows.js';

interface RpcListWords extends LoadWords {
  /** Names of the ways to the other pages. */
  readonly pages?: readonly [previous: string, next: string];
}

interface StatesProps<Row> {
  /** Of `useNumberedPages` or `useLinkedPages`. */
  readonly list: {
    readonly query: AnswerProps<unknown>['query'];
    readonly rows: readonly Row[];
    readonly pages: Pages;
  };
  readonly words: RpcListWords;
  /** In place of the rows when there are none. */
  readonly empty: React.ReactNode;
  /** Above and below the rows, once they are loaded. */
  readonly above?: React.ReactNode;
  readonly under?: React.ReactNode;
  /** Rows that are drawn as blocks while the first answer loads. */
  readonly blocks?: number;
}

type RpcListProps<Row extends object> = StatesProps<Row> &
  (
    | (ListRowsProps<Row> & { readonly children?: undefined })
    // A list with a look of its own, and the blocks that have its place while it loads.
    | { readonly children: (rows: readonly Row[]) => React.ReactNode; readonly skeleton: React.ReactNode }
  );

/**
 * A list that a call of the server answers: loading, failed with a way to try again, empty, out of date, or there, with
 * the ways to its other pages. A page is the columns of its list and its words.
 */
export function RpcList<Row extends object>(props: RpcListProps<Row>): React.ReactNode {
  const { list, words, empty, above, under, blocks = 6 } = props;
  const { query, rows, pages } = list;
  const draws = props.children !== undefined;
  return (
    <Answer query={query} words={words} skeleton={draws ? props.skeleton : <ListBlocks {...props} count={blocks} />}>
      {() => (
        <>
          <div>{above}</div>
          <div className={cx(rows.length === 0 && 'mt-4')}>
            {rows.length === 0 ? empty : draws ? props.children(rows) : <ListRows sticky {...props} rows={rows} />}
          </div>
          <div>{under}</div>
          {(pages.previous !== null || pages.next !== null || pages.text !== undefined) && (
            <div className="mt-4">
              <PagesNav {...pages} names={words.pages} />
            </div>
          )}
        </>
      )}
    </Answer>
  );
}
