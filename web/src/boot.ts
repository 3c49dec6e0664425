/** The entry of the web app. */
import './styles/main.css';
import { bootPage } from './app/boot-page.js';

// Not a top-level await: the code of the app imports parts of this chunk, and would wait until it has ended.
void bootPage(() => import('./main.js'));
