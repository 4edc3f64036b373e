import Box from '@mui/material/Box';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';

interface WhenSeenProps {
  /** As large as the children. */
  readonly placeholder: ReactElement;
  readonly children: ReactNode;
}

/** Shows its children once they are about to be on the screen: until then, the scripts that they need are not loaded. */
export function WhenSeen({ placeholder, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen ? children : <Box ref={place}>{placeholder}</Box>;
}
