import { useEffect, useRef, useState } from 'preact/hooks'
import { goQuery, usePlace } from './router.ts'

const ADDRESS_MS = 250 // browsers refuse an address that changes with every key

/** A typed text that the address keeps: the address follows a pause, and the text follows "back". */
export function useTyped(name: string): readonly [string, (text: string) => void] {
  const address = usePlace().query.get(name) ?? ''
  const [text, setText] = useState(address)
  const written = useRef(address)
  useEffect(() => {
    if (address === written.current) return
    written.current = address
    setText(address)
  }, [address])
  useEffect(() => {
    if (text === written.current) return
    const timer = setTimeout(() => {
      written.current = text
      goQuery({ [name]: text })
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
