// Reads the public log of a site with Go's golang.org/x/mod/sumdb, which shares no code with the product.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run test/interop/read-log.go <address of the site> [<earlier checkpoint>]
//
// Checks the signature of the checkpoint, every entry against it by an inclusion proof made of tiles, and, with a file
// of an earlier checkpoint, that the log continues it. Exits with 1 when anything is wrong.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

var base string

func main() {
	base = strings.TrimSuffix(os.Args[1], "/") + "/ledger/"
	verifier, err := note.NewVerifier(strings.TrimSpace(string(get("key"))))
	check(err)
	signed := get("checkpoint")
	tree := open(signed, verifier)
	reader := tlog.TileHashReader(tree, tiles{})
	for from := int64(0); from < tree.N; from += 1 << height {
		width := int(tree.N - from)
		if width > 1<<height {
			width = 1 << height
		}
		path := tlog.Tile{H: height, L: -1, N: from >> height, W: width}.Path()
		content := get(strings.Replace(path, "tile/8/data/", "tile/entries/", 1))
		for n := from; n < from+int64(width); n++ {
			length := binary.BigEndian.Uint16(content)
			entry := content[2 : 2+length]
			content = content[2+length:]
			proof, err := tlog.ProveRecord(tree.N, n, reader)
			check(err)
			check(tlog.CheckRecord(proof, tree.N, tree.Hash, n, tlog.RecordHash(entry)))
		}
	}
	fmt.Printf("%d entries are in the tree of the checkpoint of %s.\n", tree.N, verifier.Name())
	if len(os.Args) > 2 {
		kept, err := os.ReadFile(os.Args[2])
		check(err)
		earlier := open(kept, verifier)
		proof, err := tlog.ProveTree(tree.N, earlier.N, reader)
		check(err)
		check(tlog.CheckTree(proof, tree.N, tree.Hash, earlier.N, earlier.Hash))
		fmt.Printf("The log continues the earlier checkpoint of %d entries.\n", earlier.N)
	}
}

func open(signed []byte, verifier note.Verifier) tlog.Tree {
	opened, err := note.Open(signed, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		check(fmt.Errorf("the checkpoint does not have three lines, or has another origin"))
	}
	var size int64
	_, err = fmt.Sscanf(lines[1], "%d", &size)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

type tiles struct{}

func (tiles) Height() int { return height }

func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		found = append(found, get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return found, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

var cache = map[string][]byte{}

func get(path string) []byte {
	if known, ok := cache[path]; ok {
		return known
	}
	response, err := http.Get(base + path)
	check(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != 200 {
		check(fmt.Errorf("%s%s: %s", base, path, response.Status))
	}
	cache[path] = content
	return content
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
