import './styles/main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { headStart } from './app/head-start.js';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');
headStart(window.location.pathname);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
