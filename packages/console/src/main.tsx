import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { applyTheme } from './ui/theme.js';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/views.css';
import './ui/field.css';
import './ui/page-head.css';
import './features/shell/shell.css';
import './features/sign-in/sign-in.css';

applyTheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
