package agent

import (
	"encoding/base64"
	"encoding/json"

	"github.com/drawbridge-browser/drawbridge/internal/files"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// savedPart is how many bytes of a saved file one answer brings, as many as a browser's own.
const savedPart = 4 << 20

// onDisk has the path of a download told in place of its bytes, or not: that is the desk's to say, never the caller's.
func onDisk(action protocol.Action, yes bool) protocol.Action {
	if a, ok := action.(protocol.Download); ok {
		a.OnDisk = yes
		return a
	}
	return action
}

// fromDisk puts the bytes of the file that a browser saved into its answer; ok is false where the browser must be asked for them.
func (d *Desk) fromDisk(action protocol.Action, reply hub.Reply) (_ hub.Reply, ok bool) {
	asked, isDownload := action.(protocol.Download)
	saved, isSaved := reply.Result.(protocol.DownloadResult)
	if !isDownload || !isSaved || saved.Path == "" {
		return reply, true
	}
	data, err := files.ReadSaved(d.opts.Downloads, saved.Path, saved.Size, asked.From, savedPart)
	if err != nil {
		return reply, false
	}
	saved.Path, saved.Data = "", base64.StdEncoding.EncodeToString(data)
	if end := asked.From + int64(len(data)); end < saved.Size {
		saved.Next = end
	}
	raw, err := json.Marshal(saved)
	if err != nil {
		return reply, false
	}
	reply.Result, reply.Raw = saved, raw
	return reply, true
}
