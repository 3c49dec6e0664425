/** The books, for the composition, the command line and the audit. */
export { BOOKS_PROJECTION, booksProjection } from './reads/books-projection.js';
