import { useNavigate } from 'react-router-dom';
import { useKeys } from '../../../components/work-area/keys.js';

/** Escape goes back to the page whose figure was opened; to the overview when the tab began here. */
export function useEscBack(): void {
  const navigate = useNavigate();
  const back = (): void => {
    // The router numbers the entries of the tab's history.
    const { idx } = (window.history.state ?? {}) as { readonly idx?: number };
    void (idx !== undefined && idx > 0 ? navigate(-1) : navigate('/finance'));
  };
  useKeys([{ keys: ['Esc'], label: 'Back', run: back }]);
}
