import './styles/main.css';
import { keepEarlyInput } from './app/early-input.js';
import { firstPictures } from './app/first-pictures.js';
import { PAGE_DATA_ID } from '../../src/contract/page-data.js';

// The entry of the web app. It is small, so that the first pictures do not wait for code.
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');
const early = document.getElementById(PAGE_DATA_ID) ? keepEarlyInput(root) : null;
if (early) await firstPictures(root);
const { start } = await import('./main.js');
start(root, early);
