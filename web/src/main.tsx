import './styles/main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { headStart } from './app/head-start.js';
import { fanvasConfig } from './lib/config.js';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');
// Radix reads the nonce for its style elements from this global.
Object.assign(globalThis, { __webpack_nonce__: fanvasConfig().styleNonce });
headStart(window.location.pathname);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
