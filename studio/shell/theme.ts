/** Light or dark: as the machine has it, unless somebody said otherwise. */
const KEPT = 'perdure.theme';

export type Theme = 'auto' | 'light' | 'dark';

function theme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function applyTheme(): void {
  const wanted = theme();
  const isDark =
    wanted === 'dark' || (wanted === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

function setTheme(wanted: Theme): void {
  if (wanted === 'auto') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, wanted);
  applyTheme();
}

/** The other one of what is seen now. */
export function toggleTheme(): void {
  setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
