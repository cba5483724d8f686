// The dashboard's start in the browser: the theme, the keyboard, and the application.
import { render } from 'preact';
import { App } from './app.tsx';
import { watchKeyboard } from './by-keyboard.ts';
import { enterWhenSent } from './entered.ts';
import './styles/index.css';
import { applyTheme } from './theme.ts';

applyTheme();
enterWhenSent();
watchKeyboard();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
