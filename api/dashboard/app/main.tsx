import { render } from 'preact';
import { App } from './app.tsx';
import { enterWhenSent } from './entered.ts';
import './styles/index.css';
import { applyTheme } from './theme.ts';

applyTheme();
enterWhenSent();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
