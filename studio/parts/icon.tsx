/** Drawings of 20 by 20, in the colour of the text around them. They say nothing by themselves. */
import type { ReactNode } from 'react';

const PATHS = {
  brand: 'M5 16V4h6.5a3.75 3.75 0 0 1 0 7.5H8',
  flow: 'M4 4h5v4H4zM11 12h5v4h-5zM6.5 8v6H11',
  list: 'M4 5h12M4 10h12M4 15h12',
  inbox: 'M3 11l2.5-7h9L17 11v5H3zM3 11h4l1 2h4l1-2h4',
  pulse: 'M2 10h4l2-6 4 12 2-6h4',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l4 4',
  theme: 'M10 3a7 7 0 1 0 7 7 5 5 0 0 1-7-7z',
  keyboard: 'M2 5h16v10H2zM5 8h.01M8 8h.01M11 8h.01M14 8h.01M6 12h8',
  person: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17a6 6 0 0 1 12 0',
  close: 'M5 5l10 10M15 5L5 15',
  play: 'M6 4l10 6-10 6z',
  pause: 'M7 4v12M13 4v12',
  retry: 'M4 10a6 6 0 1 1 2 4.5M4 16v-4h4',
  skip: 'M4 5l7 5-7 5zM14 5v10',
  stop: 'M5 5h10v10H5z',
  check: 'M4 10.5l4 4 8-9',
  warn: 'M10 3l8 14H2zM10 8v4M10 14.5v.01',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v5M10 6.5v.01',
  up: 'M5 12l5-5 5 5',
  down: 'M5 8l5 5 5-5',
  right: 'M8 5l5 5-5 5',
  left: 'M12 5l-5 5 5 5',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  star: 'M10 3l2.2 4.6 5 .7-3.6 3.5.9 5L10 14.4 5.500 16.800l.9-5L2.800 8.300l5-.7z',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  edit: 'M4 16l1-4 8-8 3 3-8 8z',
  branch: 'M6 4v12M6 8h4a4 4 0 0 1 4 4v4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
