import { localStorageStore } from 'react-admin';

/** Display settings in the browser's storage, and nothing secret. @param name sets these pages' settings apart from others */
export function displaySettings(name: string) {
  const store = localStorageStore(undefined, name);
  // Without a locale react-admin's first frames are blank.
  store.setItem('locale', 'en');
  return store;
}
