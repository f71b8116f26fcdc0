import { render } from 'preact'
import { App } from './app.tsx'
import { startTheme } from './state/theme.ts'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/pages.css'

startTheme()
const root = document.getElementById('app')
if (root) render(<App />, root)
