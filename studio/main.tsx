/** Where the studio begins: the token out of the address, the theme, and the app. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeToken } from './api/token.ts';
import { applyTheme } from './shell/theme.ts';
import './theme.css';
import './parts/parts.css';
import './shell/shell.css';

takeToken();
applyTheme();

const root = document.querySelector('#studio');
if (root === null) throw new Error('the page has a place for the studio');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
