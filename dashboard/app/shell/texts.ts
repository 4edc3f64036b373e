import { defaultI18nProvider, type I18nProvider } from 'react-admin';

/** React-admin calls whatever was saved an "element". */
const TEXTS: Readonly<Record<string, string>> = {
  'ra.notification.created': 'Created.',
  'ra.notification.updated': 'Saved.',
  'ra.notification.deleted': 'Deleted.',
};

/** The texts of react-admin's own parts. */
export const i18nProvider: I18nProvider = {
  ...defaultI18nProvider,
  translate: (key, options): string => TEXTS[key] ?? defaultI18nProvider.translate(key, options),
};
