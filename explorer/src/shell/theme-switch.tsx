import { chooseTheme, THEMES, type Theme, useThemeChosen } from '../state/theme.ts'

export function ThemeSwitch() {
  const chosen = useThemeChosen()
  return (
    <label class="row">
      <span>Theme</span>
      <select
        class="slim"
        value={chosen}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)} // one of the options below
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {theme}
          </option>
        ))}
      </select>
    </label>
  )
}
