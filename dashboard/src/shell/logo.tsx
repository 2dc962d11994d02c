/** Our mark: three gates, each raised as far as it should be, and the water below. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path d="M9 7.6v3M16 7.6v6M23 7.6v9" stroke="#fff" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M6.5 22.8c1.6 0 1.6 1.3 3.2 1.3s1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.2-1.3"
        stroke="#b3c7ff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
