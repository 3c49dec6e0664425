/** The classes of a skip link: it is visible while it has the focus. */
export const SKIP_LINK =
  'sr-only z-(--z-toast) rounded-ctl bg-inverse text-14 font-[600] text-on-inverse focus:not-sr-only focus:fixed focus:left-4 focus:top-4 focus:px-4 focus:py-2';

/** The id of the place after {@link SkipLink}, where a page adds its own skip links. */
export const SKIP_LINKS_ID = 'skip-links';

/** The first stop of the keyboard on every page: moves the focus to the content (`#main`). */
export function SkipLink(): React.ReactNode {
  return (
    <a
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
      className={SKIP_LINK}
    >
      Skip to content
    </a>
  );
}
